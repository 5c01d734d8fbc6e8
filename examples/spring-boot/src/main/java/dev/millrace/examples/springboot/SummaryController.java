package dev.millrace.examples.springboot;

import dev.millrace.examples.springboot.SummaryService.Summary;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/** Asks the service; a refusal becomes 429 with a problem by itself. */
@RestController
class SummaryController {
  private final SummaryService service;

  SummaryController(SummaryService service) {
    this.service = service;
  }

  @PostMapping("/summaries")
  Summary summarise(@RequestHeader("X-Api-Key") String key, @RequestBody String text) {
    return service.summarise(key, text);
  }
}
