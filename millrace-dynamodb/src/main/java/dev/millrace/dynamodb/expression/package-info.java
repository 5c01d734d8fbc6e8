/** A write plan as a request. Pure: nothing is sent from here. */
@NullMarked
package dev.millrace.dynamodb.expression;

import org.jspecify.annotations.NullMarked;
