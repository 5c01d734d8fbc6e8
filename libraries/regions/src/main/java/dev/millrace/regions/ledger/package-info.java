/** Who holds how much of a global limit, and how it changes hands. Pure. */
@NullMarked
package dev.millrace.regions.ledger;

import org.jspecify.annotations.NullMarked;
