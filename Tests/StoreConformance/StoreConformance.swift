// suite
