package dev.millrace.llm.meter;

import dev.millrace.core.limit.LimitSet;
import dev.millrace.llm.estimate.CostEstimator;
import dev.millrace.llm.estimate.TokenCounter;
import dev.millrace.llm.shape.LimitShape;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a meter behaves.
 *
 * @param shape which limits are charged, and each for what
 * @param limits limits that come with each call; null for the stored ones
 * @param estimator what a call will use
 * @param counter what text is, in tokens
 * @param maxWait how long to wait for tokens to return before a call is refused
 * @param callTimeout after which an unfinished call is settled with what is known
 * @param onTimeout what such a call is charged
 * @param extensionTokens output tokens that are charged ahead when a stream exceeds what was
 *     reserved; 0 to charge at the end only
 */
record MeterSettings(
    LimitShape shape,
    @Nullable LimitSet limits,
    CostEstimator estimator,
    TokenCounter counter,
    Duration maxWait,
    Duration callTimeout,
    OnTimeout onTimeout,
    long extensionTokens) {}
