/**
 * The aggregator and the exchange between regions as AWS Lambda functions in one jar, with the
 * handlers {@link AggregatorHandler} and {@link RegionsHandler}.
 */
@NullMarked
package dev.millrace.lambda;

import org.jspecify.annotations.NullMarked;
