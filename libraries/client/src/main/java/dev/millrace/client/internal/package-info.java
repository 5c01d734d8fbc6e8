/** How the limiter works inside; not for applications. */
@NullMarked
package dev.millrace.client.internal;

import org.jspecify.annotations.NullMarked;
