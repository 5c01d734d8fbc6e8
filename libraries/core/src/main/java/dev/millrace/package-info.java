/**
 * What applications use: the limiter, requests, limits, answers and errors. Together with the
 * packages of administration, adapters and integrations it is the stable API of Millrace; {@code
 * dev.millrace.core.spi} and every package named {@code internal} may change in any release.
 */
@NullMarked
package dev.millrace;

import org.jspecify.annotations.NullMarked;
