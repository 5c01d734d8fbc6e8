package dev.millrace.examples.springboot;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The service. The starter on the class path is all that makes it know limits. */
@SpringBootApplication
class Main {
  /** Serves until it is stopped. */
  public static void main(String[] args) {
    SpringApplication.run(Main.class, args);
  }
}
