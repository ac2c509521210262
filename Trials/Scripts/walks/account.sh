#!/bin/sh
# coordinator: title=Account; summary=Log in with a name and a password.
problem=
while
  username=$(ask form log-in "Log in" --text username="User name" --length 1..64 --value "${username-}" \
    --secret password=Password --length 1..128 --submit submit="Log in" --cancel --error "$problem")
  # A look cannot take a secret: the check is a step.
  ! ask step check --stdin password --busy "Checking the password" -- sh -c '[ "$1:$(cat)" = demo:open-sesame ]' sh "$username"
do problem="The user name or the password is wrong."; done
end=$(ask message user-profile "Your account" "You are logged in as $username." log-out="Log out" --primary done=Done)
if [ "$end" = log-out ]; then ask again; fi
ask finish username="$username"
