/** Programs that tests start get the environment of a user: what holds for the memory of a worker is not meant for them. */
Reflect.deleteProperty(process.env, "GLIBC_TUNABLES");
