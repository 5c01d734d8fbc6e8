package dev.millrace.examples.springboot;

import java.util.Map;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Knows nothing of limits: the filter charges each request, as {@code application.yml} says. */
@RestController
class GreetingController {
  @GetMapping("/greetings/{name}")
  Map<String, String> greet(@PathVariable("name") String name) {
    return Map.of("greeting", "Hello, " + name);
  }
}
