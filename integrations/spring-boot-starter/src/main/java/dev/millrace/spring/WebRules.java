package dev.millrace.spring;

import java.util.List;

/**
 * The rules that charge requests, those of the properties by default; a bean of this type replaces
 * them. The first rule that matches a request applies.
 */
public record WebRules(List<MillraceProperties.Rule> rules) {
  public WebRules {
    rules = List.copyOf(rules);
  }
}
