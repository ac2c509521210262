# Programs under coordinatorctl exec, with a daemon and an engine: whiptail, debconf, ssh, git, sudo and dpkg, as far as
# they are installed.

.PHONY: programs-tests programs-tests-quick exec-tests exec-kill-tests exec-signal-tests exec-answers-tests exec-programs-tests exec-debconf-tests

# Two at a time, each with separate daemons and engines.
EXEC_QUICK = exec-tests exec-kill-tests exec-signal-tests exec-answers-tests exec-programs-tests

programs-tests: deps ## Run real programs with coordinatorctl exec, and kill the daemon and the engine at each step of debconf
	WARNINGS_AS_ERRORS=1 $(BUILD) --build-tests
	$(MAKE) --output-sync=target -j2 $(EXEC_QUICK) exec-debconf-tests

programs-tests-quick:
	$(MAKE) $(EXEC_QUICK)

exec-tests exec-kill-tests exec-signal-tests exec-answers-tests exec-programs-tests exec-debconf-tests:
	/usr/bin/python3 Trials/Programs/$(subst -,_,$@).py "$$($(BUILD) --show-bin-path)"
