#!/bin/sh -e
# packages.sh DIRECTORY [PACKAGE...]: fetches the packages whose scripts packages_tests.py asks, or only these, unless they
# are there already. Installs nothing.
cd "${1:?usage: packages.sh DIRECTORY [PACKAGE...]}"
shift
[ $# -gt 0 ] || set -- adjtimex apt-cacher-ng apt-listchanges apticron atftpd ca-certificates cacti chrony console-data console-setup \
  courier-base cups cyrus-common davfs2 dbconfig-common ddclient debconf dictionaries-common dma dovecot-core exim4-config \
  fontconfig-config gdm3 grub-pc icinga2-common ifplugd iptables-persistent isc-dhcp-server jackd2 keyboard-configuration \
  krb5-config libnss-ldapd libpam-runtime lightdm lirc localepurge locales mailman3 mailman3-web mailutils man-db mdadm minissdpd \
  msmtp nbd-client needrestart nfs-common nslcd ntpsec nullmailer openssh-server phpmyadmin popularity-contest postfix \
  proftpd-core resolvconf roundcube-core samba-common sddm slapd smartmontools snmpd sysstat tftpd-hpa tor-geoipdb tripwire tzdata \
  ucf uif unattended-upgrades wireshark-common x11-common xserver-xorg-legacy zabbix-frontend-php
for package; do
  [ -z "$(find . -name "${package}_*.deb")" ] || continue
  apt-get download -qq "$package" || echo "not fetched: $package" >&2
done
