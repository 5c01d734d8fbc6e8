@NullMarked
package dev.millrace.proving.soak.ledger;

import org.jspecify.annotations.NullMarked;
