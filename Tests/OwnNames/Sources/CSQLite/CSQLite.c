#include "CSQLite.h"

const char *own_sqlite(void) { return "CSQLite"; }
