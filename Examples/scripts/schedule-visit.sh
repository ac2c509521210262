#!/bin/sh
# coordinator: title=Schedule a visit; summary=Finds out whether a visit is needed at all; version=1; rehearsable
visit=$(ask menu select-visit-type "What is the visit for?" well="A check-up" sick="My pet is sick")
if [ "$visit" = sick ]; then
  pain=$(ask menu select-pain-level "How much does it hurt?" none="Not at all" little="A little" severe=Severely)
  case $pain in none | little)
    if ask confirm faking-it "Is your pet faking it?"; then
      ask finish visit="$visit" pain="$pain" faked:=true
      exit
    fi ;;
  esac
fi
ask message no-appointment-required "No appointment required" "Come by whenever it suits you."
ask finish visit="$visit" pain="${pain-}"
