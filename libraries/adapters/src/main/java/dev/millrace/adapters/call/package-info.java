/** Functions, suppliers and stages that are charged when they are called. */
@NullMarked
package dev.millrace.adapters.call;

import org.jspecify.annotations.NullMarked;
