#!/bin/sh
# coordinator: title=Enrol this device; summary=An account with a second factor; result=login:Log-in name
problem=
until
  login=$(ask form account "A new account" --text login="Log-in name" --secret password=Password --length 8..64 \
    --purpose new-password --secret again="The password again" --same-as password --error "$problem")
  # The token is a secret: it is in no log, and only the next step can take it.
  ask step token --secret-result --stdin password --busy "Creating the account" -- enrol-account "$login"
do problem="There is an account with this name."; done

address=$(ask step begin --stdin token -- begin-enrolment "$login") || ask fail unreachable "The server did not answer."
ask message scan "Your second factor" --paragraph "Scan this with the phone that will show the numbers." \
  --qr "$address" --link "Without a phone=https://example.org/help"
problem=
until
  code=$(ask form code "Which number does it show?" --text code=Number --pattern '^[0-9]{6}$' --length 6 \
    --message "The number has six digits." --error "$problem")
  ask step verify -- verify-enrolment "$login" "$code"
do problem="This is not the number that it shows now."; done
ask message done "Enrolled" "From now on, you need your phone to log in."
ask finish login="$login"
