/** The text formats of dead letters and audit events. */
@NullMarked
package dev.millrace.aggregator.json;

import org.jspecify.annotations.NullMarked;
