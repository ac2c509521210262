# A machine is set up by Examples/first-boot, as a daemon and as a script: in a terminal, in a browser and by an answers file, with
# daemons that are killed meanwhile. As root, because users are added, to an /etc that only the test sees.

.PHONY: first-boot first-boot-long

FIRST_BOOT = /usr/bin/python3 Trials/FirstBoot/first_boot_tests.py "$$($(BUILD) --show-bin-path)" .build-web

first-boot: deps ## Set simulated machines up with Examples/first-boot, in a terminal, in a browser and by answers, and kill the daemon meanwhile
	WARNINGS_AS_ERRORS=1 $(BUILD) --build-tests
	@mkdir -p .build-web
	$(FIRST_BOOT) "$$($(BUILD) --show-bin-path)/first-boot-daemon"
	$(FIRST_BOOT) Examples/first-boot/first-boot.py

# The package is built and tested as somebody does who has copied it.
first-boot-long: deps ## Run the same with a daemon that is killed before and after each change and at each screen; build and test the example by itself
	cd Examples/first-boot && WARNINGS_AS_ERRORS=1 $(STABLE) $(SWIFT) test
	FIRST_BOOT_LONG=1 $(MAKE) first-boot
