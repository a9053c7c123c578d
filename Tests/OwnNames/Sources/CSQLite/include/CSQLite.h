/// Returns the name of the app's own module.
const char *own_sqlite(void);
