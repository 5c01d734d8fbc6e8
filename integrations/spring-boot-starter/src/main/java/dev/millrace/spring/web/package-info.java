/** The filters that limit requests, and their responses to refusals. */
@NullMarked
package dev.millrace.spring.web;

import org.jspecify.annotations.NullMarked;
