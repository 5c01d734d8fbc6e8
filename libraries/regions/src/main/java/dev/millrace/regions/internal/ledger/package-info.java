/** The shares of regions in a limit: ledgers, transfers, and the decision about transfers. Pure. */
@NullMarked
package dev.millrace.regions.internal.ledger;

import org.jspecify.annotations.NullMarked;
