/** What the tests of this module share: seeded cases, a pure store, a scripted conversation. */
@NullMarked
package dev.millrace.core.testing;

import org.jspecify.annotations.NullMarked;
