/**
 * The aggregator and the exchange between regions as AWS Lambda functions, of one jar; {@link
 * AggregatorHandler} and {@link RegionsHandler} are their handlers.
 */
@NullMarked
package dev.millrace.lambda;

import org.jspecify.annotations.NullMarked;
