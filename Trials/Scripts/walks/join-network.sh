#!/bin/sh
# coordinator: title=Join a network; summary=Connects this device to a wireless network.; version=2
problem=
while
  eval "$(ask form network "Which network?" --text name=Name --length 1..32 --value "${name-}" \
    --choice security=Security --option wpa=WPA --option open=None --value wpa \
    --secret passphrase=Passphrase --length 8..63 --pattern '^[ -~]*$' --optional \
    --submit join=Join --cancel=stop=Stop --assignments --error "$problem")"
  if [ "$security" = wpa ]; then
    set -- --stdin passphrase -- sh -c '[ "$(cat)" = open-sesame ]'
  else
    set -- -- true
  fi
  ! ask step join --busy "Joining $name" "$@"
do problem="The network does not let this device in."; done
ask message joined Connected "This device is in the network $name."
ask finish network="$name"
