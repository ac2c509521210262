# coordinator-keeper and coordinatorctl exec with real little programs, and with debconf, ssh-keygen and git where they are installed.

.PHONY: keeper-tests

keeper-tests: ## Test the keeper of live programs and coordinatorctl exec with real programs
	for product in coordinatord coordinatorctl coordinator-tui coordinator-scripts coordinator-keeper coordinator-dialog; do $(BUILD) --product $$product || exit 1; done
	/usr/bin/python3 Trials/Programs/keeper_tests.py "$$($(BUILD) --show-bin-path)"
	/usr/bin/python3 Trials/Programs/keeper_question_tests.py "$$($(BUILD) --show-bin-path)"
	/usr/bin/python3 Trials/Programs/exec_tests.py "$$($(BUILD) --show-bin-path)"
