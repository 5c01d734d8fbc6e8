/**
 * DynamoDB Local as a child process, for the first run and for tests.
 *
 * <p>The engine's licence forbids shipping it or compiling against it. So it is fetched by the
 * user's own Maven ({@code engine-pom.xml}), runs in a JVM of its own, and is spoken to over HTTP;
 * no class of it is named here except as a string, in {@link dev.millrace.embedded.EngineChild}.
 */
@NullMarked
package dev.millrace.embedded;

import org.jspecify.annotations.NullMarked;
