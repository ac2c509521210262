# coordinator-keeper and coordinatorctl exec with small real programs and, if they are installed, with debconf, ssh-keygen
# and git.

.PHONY: keeper-tests

keeper-tests: deps ## Test the keeper of live programs and coordinatorctl exec with real programs
	WARNINGS_AS_ERRORS=1 $(BUILD) --build-tests
	/usr/bin/python3 Trials/Programs/keeper_tests.py "$$($(BUILD) --show-bin-path)"
	/usr/bin/python3 Trials/Programs/keeper_question_tests.py "$$($(BUILD) --show-bin-path)"
	/usr/bin/python3 Trials/Programs/keeper_programs_tests.py "$$($(BUILD) --show-bin-path)"
	/usr/bin/python3 Trials/Programs/keeper_debconf_tests.py "$$($(BUILD) --show-bin-path)"
	/usr/bin/python3 Trials/Programs/exec_terminal_tests.py "$$($(BUILD) --show-bin-path)"
