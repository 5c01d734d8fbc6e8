package dev.millrace.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.CommandRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HelpTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "namespace register", "entity create", "limits explain", "resource set", "system set",
        "bucket show", "usage list", "audit list", "jobs resume", "table create"
      })
  void help_namesConnectionAndExitCodes(String command) {
    CommandRun run = CommandRun.of((command + " --help").split(" ", -1));

    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .contains("--table", "--endpoint", "--profile", "--embedded", "--json", "--namespace")
        .contains("4   refused as things are", "5   table not reachable");
  }

  @ParameterizedTest
  @ValueSource(strings = {"namespace", "entity", "limits", "resource", "system", "bucket", "usage"})
  void help_ofAGroup_hasExamples(String group) {
    assertThat(CommandRun.of(group, "--help").out()).contains("Examples:", "millrace " + group);
  }

  @Test
  void version_isTextAndJson() {
    assertThat(CommandRun.of("version").out()).contains("millrace ", "schema 3", "java ");
    assertThat(CommandRun.of("version", "--json").out()).contains("\"schema\":3");
  }

  @Test
  void completion_knowsEveryCommand() {
    String bash = CommandRun.of("completion", "bash").out();

    assertThat(bash).startsWith("#!/usr/bin/env bash").contains("namespace", "top-up", "--plot");
    assertThat(CommandRun.of("completion", "zsh").out()).startsWith("autoload -U +X compinit");
    assertThat(CommandRun.of("completion", "fish").exitCode()).isEqualTo(2);
  }
}
