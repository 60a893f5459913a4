/* smb1d_version.h - the one place where the version stands. */
#ifndef SMB1D_VERSION_H
#define SMB1D_VERSION_H
#define SMB1D_VERSION "0.1"
#ifndef SMB1D_CONFIG_FILE
#define SMB1D_CONFIG_FILE "/etc/smb1d/smb.conf"
#endif
#ifndef SMB1D_LOG_DIR
#define SMB1D_LOG_DIR "/var/log/smb1d"
#endif
#endif
