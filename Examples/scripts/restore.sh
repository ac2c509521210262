#!/bin/sh
# coordinator: title=Restore a backup; summary=Replaces the files of this machine; result=backup:Backup
backup=$(ask look backups --busy "Looking for backups" -- list-backups |
  ask list backup "Which backup?" --items=- --cancel)
ask confirm sure "Replace all files?" --body "They will be those of $backup." --bullet "Newer files are lost." \
  --destructive --yes "Replace them" --no "Keep them" || ask cancel

# The command prints lines such as '40% photos'. It may be stopped, and goes on where it was when it runs again.
until ask step restore --busy "Restoring $backup" --progress --stoppable -- restore-backup "$backup"; do
  [ $? -eq 143 ] && problem="You have stopped it. Some files are those of the backup." || problem="It has failed."
  if ! ask confirm again "Go on?" --yes "Go on" --no "Leave it so" --error "$problem"; then
    ask fail incomplete "The backup was not restored completely."
  fi
done
ask message done "Restored" "The files are those of $backup."
ask finish backup="$backup"
