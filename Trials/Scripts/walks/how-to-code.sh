#!/bin/sh
# coordinator: title=How to code; summary=Four steps from waking up to shipping, one after the other.; rehearsable
step() { ask message "step-$1" "$2" "Step $1 of 4." --primary next=Next --accent "$3"; }
step 1 "I wake up" "#F5001C"
step 2 "I go out" "#ED8212"
step 3 "500 lines" "#3BB821"
step 4 "Ship it!" "#2E4ACC"
end=$(ask message start-over "You know how to code" "That was all there is to it." --primary finish=Finish \
  start-over="Start over")
if [ "$end" = start-over ]; then ask again; fi
ask finish steps:=4
