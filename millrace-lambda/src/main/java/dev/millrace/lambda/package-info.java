/** The aggregator as an AWS Lambda function; {@link AggregatorHandler} is its handler. */
@NullMarked
package dev.millrace.lambda;

import org.jspecify.annotations.NullMarked;
