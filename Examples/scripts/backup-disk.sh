#!/bin/sh
# coordinator: title=Back up a disk; summary=Copies a disk into a file; version=1
disk=$(ask look disks -- lsblk -dnpo NAME,SIZE | awk '{ print $1 "\t" $1 "\t" $2 }' |
  ask list disk "Which disk?" --items=-)
bytes=$(ask look size -- lsblk -bdno SIZE "$disk" | tr -d ' ')

problem=
until
  file=$(ask form file "Into which file?" --text file=File --pattern '^/.' --length 2..4096 \
    --message "Enter an absolute path." --example /var/backups/disk.img --error "$problem")
  ask look is-new -- test ! -e "$file"
do problem="$file exists already."; done

ask confirm sure "Copy $disk into $file?" --body "This takes $bytes bytes." --yes Copy --no "Do not copy" || ask cancel

# The step may be repeated after a crash: it copies everything again. Back from the last screen deletes the copy.
ask step copy --busy "Copying $disk" --undo rm -f "$file" -- sh -c '
  set -e
  size=$((1 + $3 / 1048576)) part=$((1 + $3 / 10485760)) copied=0
  while [ "$copied" -lt "$size" ]; do
    ask progress $((100 * copied / size)) "$copied of $size MiB"
    dd if="$1" of="$2" bs=1M count="$part" skip="$copied" seek="$copied" conv=fsync,notrunc status=none
    copied=$((copied + part))
  done' copy "$disk" "$file" "$bytes" || ask fail copy-failed "$disk could not be copied."

ask message done "Backed up" "$file contains $disk. Go back to delete it."
ask finish disk="$disk" file="$file"
