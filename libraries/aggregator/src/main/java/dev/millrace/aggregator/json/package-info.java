/** What leaves the aggregator as text: dead letters and audit events. */
@NullMarked
package dev.millrace.aggregator.json;

import org.jspecify.annotations.NullMarked;
