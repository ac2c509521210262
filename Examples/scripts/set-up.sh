#!/bin/sh
# coordinator: title=Set up; summary=Ten questions, and what they ask for; result=host:Host name, login:Log-in name
locale=$(ask menu locale "Language" de=Deutsch en=English ar=العربية --default en --step 1/10)
keyboard=$(ask list keyboard "Keyboard" de=German us=American ara=Arabic --group "Also typed in Latin" --step 2/10)
zone=$(ask look zones -- timedatectl list-timezones | ask list zone "Time zone" --items=- --step 3/10)
host=$(ask form host "Name of the machine" --host host="Host name" --step 4/10)
login=$(ask form user "Account" --text login="Log-in name" --pattern '^[a-z][a-z0-9-]*$' --length 1..32 \
  --message "A log-in name begins with a letter." --step 5/10)
birth=$(ask form birth "Your birthday" --date birth=Birthday --optional --step 6/10)
updates=$(ask form updates "When may it restart?" --time at="Time of day" --value 03:00 --step 7/10)
space=$(ask form space "Room for files" --integer space="Space" --unit GiB --range 1..4000 --value 20 --step 8/10)
features=$(ask list features "What do you need?" ssh="Remote log-in" web="A web server" print=Printing \
  --subtitle "Also printers of the network" --multiple --initial ssh --step 9/10 | tr '\n' ' ')
if ask confirm share "Send reports?" --body "They name no person." --default no --step 10/10; then share=yes; else share=no; fi

ask review check "Is this right?" --bullet "Nothing has been changed yet." --strong "The machine restarts at the end." \
  --primary apply="Set up" --cancel="Do not set up"
until
  # No word of this is read by a shell: what a user has typed are arguments.
  ask step apply --busy "Setting up $host" --progress --stoppable -- set-up-machine \
    "$locale" "$keyboard" "$zone" "$host" "$login" "$birth" "$updates" "$space" "$share" "$features"
do
  [ $? -eq 143 ] && problem="You have stopped it." || problem="It could not be set up."
  ask confirm again "Try again?" --error "$problem" || ask fail not-set-up "$problem"
done
if ask confirm restart "Restart now?" --default yes; then ask step restart --once -- restart-machine; fi
ask finish host="$host" login="$login"
