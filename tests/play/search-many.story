# DOS never ends a search, and big folders come back in small pieces (BZ 2662, Q169362).
connect; set unicode=off ntstatus=off; negotiate "MICROSOFT NETWORKS 3.0"; session guest; tree \\host\share
host many "f" count=300
search "\*.*" count=100 -> count=100
search "" count=100 resume -> count=100
search "" count=200 resume -> count=100
search "" count=100 resume -> count=0
