/** The division of a global limit among regions, and the transfers between them. Pure. */
@NullMarked
package dev.millrace.regions.ledger;

import org.jspecify.annotations.NullMarked;
