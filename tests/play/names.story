# DELETE, RENAME, CREATE_DIRECTORY, DELETE_DIRECTORY, CHECK_DIRECTORY.
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
mkdir "d"; checkdir "d"; checkdir "\"; checkdir ""
mkdir "d" -> error OBJECT_NAME_COLLISION
mkdir "no\d" -> error OBJECT_PATH_NOT_FOUND
checkdir "none" -> error OBJECT_NAME_NOT_FOUND
host file "f" data="1"
checkdir "f" -> error NOT_A_DIRECTORY
rename "f" "g"
host exists "g"
rename "f" "h" -> error OBJECT_NAME_NOT_FOUND
rename "g" "d\g"
host exists "d/g"
rmdir "d" -> error DIRECTORY_NOT_EMPTY
rename "d" "e"
# another spelling of the same name (reports 123)
rename "e" "E"
host exists "E"
host file "x"; host file "y"
rename "x" "y" -> error OBJECT_NAME_COLLISION
delete "E\g"
rmdir "E"
host missing "E"
rmdir "E" -> error OBJECT_NAME_NOT_FOUND
rmdir "x" -> error NOT_A_DIRECTORY
rmdir "" -> error ACCESS_DENIED
delete "none" -> error OBJECT_NAME_NOT_FOUND
mkdir "dir"
delete "dir" -> error FILE_IS_A_DIRECTORY
delete "x"; delete "y"
# open files
nt_create "held" disp=2 share=3 -> fid=F
delete "held" -> error SHARING_VIOLATION
rename "held" "x" -> error SHARING_VIOLATION
close F
nt_create "held" share=7 -> fid=F
rename "held" "moved"
close F
