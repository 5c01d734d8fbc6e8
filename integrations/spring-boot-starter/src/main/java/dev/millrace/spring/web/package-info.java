/** Filters that limit requests, and how they are answered. */
@NullMarked
package dev.millrace.spring.web;

import org.jspecify.annotations.NullMarked;
