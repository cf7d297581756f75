module dictsvc

go 1.26
