#!/bin/sh
# coordinator: title=Schedule a visit; summary=Asks what a visit is for, and whether it is needed at all.; version=2; rehearsable
visit=$(ask menu select-visit-type "What is the visit for?" well="A check-up" sick="My pet is sick")
if [ "$visit" = sick ]; then
  pain=$(ask menu select-pain-level "How much does it hurt?" none="Not at all" little="A little" moderate=Moderately \
    severe=Severely worst-possible="As much as can be")
  case $pain in none | little)
    honesty=$(ask menu faking-it "Is your pet faking it?" is-fake="Yes, it is faking" not-fake="No, it is real")
    if [ "$honesty" = is-fake ]; then ask finish visit=sick pain="$pain" faked:=true; fi ;;
  esac
fi
ask message no-appointment-required "No appointment required" "Come by whenever it suits you."
ask finish visit="$visit" ${pain:+pain="$pain"}
