# Installed programs ask, and the code of the keeper answers. Programs that are not installed are skipped with a
# message.

PROGRAM_TRIALS = program-debconf program-passwords program-agents
PROGRAM_TRIAL = /usr/bin/python3 Trials/Programs
# The directory of the packages whose scripts ask.
DEBCONF_PACKAGES = .build-packages
# For example DEBCONF_ONLY="exim4-config tzdata"
DEBCONF_ONLY ?=

.PHONY: programs programs-long $(PROGRAM_TRIALS)

programs: deps ## Answer questions of debconf, ssh, git, sudo, gpg, systemd-ask-password and dpkg
	WARNINGS_AS_ERRORS=1 $(BUILD) --build-tests
	$(MAKE) --output-sync=target $(PROGRAM_TRIALS)

programs-long: deps ## Answer the questions of the scripts of 70 Debian packages, which are fetched and not installed, and time programs with much output
	@Scripts/deps programs
	@mkdir -p $(DEBCONF_PACKAGES)
	Trials/Programs/packages.sh $(DEBCONF_PACKAGES) $(DEBCONF_ONLY)
	WARNINGS_AS_ERRORS=1 $(BUILD) --build-tests
	DEBCONF_TRIAL_PACKAGES="$(DEBCONF_PACKAGES)" $(PROGRAM_TRIAL)/packages_tests.py "$$($(BUILD) --show-bin-path)"
	$(PROGRAM_TRIAL)/exec_pace_tests.py "$$($(BUILD) --show-bin-path)"

program-debconf:
	$(PROGRAM_TRIAL)/debconf_tests.py "$$($(BUILD) --show-bin-path)"

program-passwords:
	$(PROGRAM_TRIAL)/askpass_tests.py "$$($(BUILD) --show-bin-path)"

program-agents:
	$(PROGRAM_TRIAL)/programs_tests.py "$$($(BUILD) --show-bin-path)"
