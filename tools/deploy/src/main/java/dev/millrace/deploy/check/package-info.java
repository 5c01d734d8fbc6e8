/** The search for faults of a table. */
@NullMarked
package dev.millrace.deploy.check;

import org.jspecify.annotations.NullMarked;
