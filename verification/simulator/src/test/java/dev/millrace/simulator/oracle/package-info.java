@NullMarked
package dev.millrace.simulator.oracle;

import org.jspecify.annotations.NullMarked;
