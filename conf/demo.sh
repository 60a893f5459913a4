#!/bin/sh
# make demo: a share to play with, on ports 1445 (direct TCP) and 1139 (NetBIOS).
# Everything lies in one folder (root: /var/lib/smb1d-demo, else build/demo); Ctrl-C ends it.
B=${1:-build}
if [ "$(id -u)" = 0 ]; then
	D=/var/lib/smb1d-demo # where the demo's user can reach it, wherever the checkout lies
else
	D=$(cd "$B" && pwd)/demo
fi
mkdir -p "$D/share" "$D/lock" "$D/state" "$D/cache" "$D/pid" "$D/private" "$D/log"
if [ "$(id -u)" = 0 ]; then
	id smbdemo >/dev/null 2>&1 || useradd -r -M -s /usr/sbin/nologin -d /nonexistent smbdemo
	user=smbdemo
	chown smbdemo "$D/share"
else
	user=$(id -un)
fi
[ -e "$D/share/hello.txt" ] || echo "Hello from smb1d." > "$D/share/hello.txt"
[ "$(id -u)" != 0 ] || chown smbdemo "$D/share/hello.txt"
cat > "$D/smb.conf" <<EOF
[global]
   netbios name = DEMO
   workgroup = WORKGROUP
   server string = smb1d demo
   smb ports = 1445 1139
   map to guest = Bad User
   lock directory = $D/lock
   state directory = $D/state
   cache directory = $D/cache
   pid directory = $D/pid
   private dir = $D/private
   log file = $D/log/smb1d.log
   log level = 2

[share]
   comment = a share to play with
   path = $D/share
   read only = no
   guest ok = yes
EOF
printf 'demo1\ndemo1\n' | "$B/smb1ctl" -s "$D/smb.conf" passwd -a -i "$user" >/dev/null || exit 1
cat <<EOF

smb1d is about to serve $D/share as //localhost/share; user $user, password demo1.

  smbclient   smbclient //127.0.0.1/share -p 1445 -m NT1 --option='client min protocol=NT1' -U $user%demo1
  curl        curl -u $user:demo1 smb://127.0.0.1:1445/share/hello.txt
  Linux       mount -t cifs //127.0.0.1/share /mnt -o vers=1.0,nounix,port=1445,user=$user,pass=demo1
  Windows     (XP and older; ports 445/139 needed: set 'smb ports = 445 139')   net use Z: \\\\THISHOST\\share /user:$user demo1
  who is on   $B/smb1ctl -s $D/smb.conf status

Log: $D/log/smb1d.log.  Ctrl-C ends it.
EOF
exec "$B/smb1d" -F -s "$D/smb.conf"
