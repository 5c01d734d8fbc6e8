/** The demo: steps that do, checks that they did what they say, and views that show it. */
@NullMarked
package dev.millrace.cli.demo;

import org.jspecify.annotations.NullMarked;
