/**
 * A limiter inside; not for applications. {@code AcquireFlow} shows the stages of an acquire. The
 * packages below use each other in one direction only: {@code lease} → {@code shard} → {@code
 * write} → {@code mirror} → {@code store}, and {@code resolve} → {@code write}.
 */
@NullMarked
package dev.millrace.client.internal;

import org.jspecify.annotations.NullMarked;
