/** Plans, transactions and batches as requests. Pure: nothing is sent from here. */
@NullMarked
package dev.millrace.dynamodb.internal.expression;

import org.jspecify.annotations.NullMarked;
