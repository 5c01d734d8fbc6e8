/** The cost of traffic. */
@NullMarked
package dev.millrace.deploy.cost;

import org.jspecify.annotations.NullMarked;
