package dev.millrace.llm.meter;

import dev.millrace.LimitSet;
import dev.millrace.llm.estimate.CostEstimator;
import dev.millrace.llm.estimate.TokenCounter;
import dev.millrace.llm.shape.LimitShape;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a meter.
 *
 * @param shape the limits that are charged, each with its weights
 * @param limits limits that come with each call; null for the stored ones
 * @param estimator estimates the usage of calls
 * @param counter counts the tokens of texts
 * @param maxWait how long to wait for tokens before a call is refused
 * @param callTimeout the time after which an unfinished call is settled with what is known
 * @param onTimeout the charge of such a call
 * @param extensionTokens output tokens that are charged ahead when a stream exceeds its
 *     reservation; 0 to charge at the end only
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
