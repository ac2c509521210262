#!/bin/sh
# coordinator: title=Join a network; summary=Connects this device to a Wi-Fi network; version=1
network=again
while [ "$network" = again ]; do
  network=$(ask look scan --busy "Looking for networks" -- nmcli -e no -g SSID device wifi list |
    ask list network "Which network?" --items=- again="Look again")
done
problem=
until ask form passphrase "Passphrase of $network" --secret passphrase=Passphrase --length 8..63 --error "$problem" &&
  ask step join --stdin passphrase --busy "Joining $network" -- nmcli --ask device wifi connect "$network"
do problem="The network does not let this device in."; done
ask message joined Connected "This device is in the network $network."
ask finish network="$network"
