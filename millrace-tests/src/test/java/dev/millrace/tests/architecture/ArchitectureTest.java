package dev.millrace.tests.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadLocalRandom;

/** What depends on what, as facts. */
@AnalyzeClasses(packages = "dev.millrace", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  private static final String CORE = "dev.millrace.core..";
  private static final String CLIENT = "dev.millrace.client..";
  private static final String DYNAMODB = "dev.millrace.dynamodb..";
  private static final String ADMIN = "dev.millrace.admin..";
  private static final String AGGREGATOR = "dev.millrace.aggregator..";
  private static final String CLI = "dev.millrace.cli..";

  private static final Set<String> CLOCKS_AND_CHANCE =
      Set.of(
          "java.lang.System.currentTimeMillis",
          "java.lang.System.nanoTime",
          "java.lang.Math.random",
          "java.util.UUID.randomUUID");

  /** What can be read off a bucket, its limits and its standing without any arithmetic. */
  private static final Set<String> FACTS_OF_A_BUCKET =
      Set.of(
          "amountMilli",
          "burstMilli",
          "consumedMilli",
          "count",
          "disabled",
          "division",
          "equals",
          "expiresAtSeconds",
          "find",
          "key",
          "level",
          "limit",
          "limits",
          "name",
          "periodMs",
          "refill",
          "refilledAtMs",
          "shard",
          "soft",
          "standing",
          "tokensMilli",
          "version",
          "withShard");

  private static final Set<String> TYPES_THAT_KNOW_THE_TIME =
      Set.of(
          "java.time.Clock",
          "java.time.Instant",
          "java.time.LocalDate",
          "java.time.LocalTime",
          "java.time.LocalDateTime",
          "java.time.ZonedDateTime",
          "java.time.OffsetDateTime");

  @ArchTest
  static final ArchRule coreDependsOnNothingButJavaAndJspecify =
      classes()
          .that()
          .resideInAPackage(CORE)
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(CORE, "java..", "org.jspecify..");

  @ArchTest
  static final ArchRule coreDoesNoInputOrOutput =
      noClasses()
          .that()
          .resideInAPackage(CORE)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "java.io..", "java.nio..", "java.net..", "java.sql..", "java.util.concurrent.locks..")
          .orShould()
          .accessClassesThat()
          .areAssignableTo(Thread.class);

  @ArchTest
  static final ArchRule coreReadsNeitherAClockNorChance =
      noClasses()
          .that()
          .resideInAPackage(CORE)
          .should()
          .callMethodWhere(isOneOf("read a clock or chance", CLOCKS_AND_CHANCE))
          .orShould()
          .callMethodWhere(isNowOfATimeType())
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(java.util.Random.class)
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(java.util.random.RandomGenerator.class)
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(java.util.Date.class);

  @ArchTest
  static final ArchRule corePackagesHaveNoCycles =
      slices().matching("dev.millrace.core.(*)..").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule dynamodbPackagesHaveNoCycles =
      slices().matching("dev.millrace.dynamodb.(*)..").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule clientDoesNotKnowDynamodb =
      noClasses()
          .that()
          .resideInAPackage(CLIENT)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(DYNAMODB, "software.amazon..");

  @ArchTest
  static final ArchRule dynamodbDoesNotKnowTheClient =
      noClasses()
          .that()
          .resideInAPackage(DYNAMODB)
          .should()
          .dependOnClassesThat()
          .resideInAPackage(CLIENT);

  @ArchTest
  static final ArchRule adminDependsOnNothingButCore =
      classes()
          .that()
          .resideInAPackage(ADMIN)
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(ADMIN, CORE, "java..", "org.jspecify..");

  /** Time, chance and waiting are options, so that a simulation can bring its own. */
  @ArchTest
  static final ArchRule onlyOptionsOfTheAdministrationReadAClockOrSleep =
      noClasses()
          .that()
          .resideInAPackage(ADMIN)
          .and()
          .haveSimpleNameNotContaining("AdminOptions")
          .and()
          .doNotHaveSimpleName("Pacer")
          .should()
          .callMethodWhere(isOneOf("read a clock or chance", CLOCKS_AND_CHANCE))
          .orShould()
          .callMethodWhere(isNowOfATimeType())
          .orShould()
          .callMethod(Thread.class, "sleep", long.class);

  @ArchTest
  static final ArchRule internalsOfTheAdministrationAreItsOwn =
      noClasses()
          .that()
          .resideOutsideOfPackage(ADMIN)
          .should()
          .dependOnClassesThat()
          .resideInAPackage("dev.millrace.admin.internal..");

  @ArchTest
  static final ArchRule aggregatorDependsOnCoreAndDynamodbOnly =
      noClasses()
          .that()
          .resideInAPackage(AGGREGATOR)
          .should()
          .dependOnClassesThat(
              resideInAPackage("dev.millrace..")
                  .and(not(resideInAnyPackage(AGGREGATOR, CORE, DYNAMODB))));

  /** Its clock and its chance are options. */
  @ArchTest
  static final ArchRule internalsOfTheAggregatorReadNeitherAClockNorChance =
      noClasses()
          .that()
          .resideInAPackage("dev.millrace.aggregator.internal..")
          .should()
          .callMethodWhere(isOneOf("read a clock or chance", CLOCKS_AND_CHANCE))
          .orShould()
          .callMethodWhere(isNowOfATimeType())
          .orShould()
          .dependOnClassesThat(areSdkClients());

  @ArchTest
  static final ArchRule internalsOfTheAggregatorAreItsOwn =
      noClasses()
          .that()
          .resideOutsideOfPackage(AGGREGATOR)
          .should()
          .dependOnClassesThat()
          .resideInAPackage("dev.millrace.aggregator.internal..");

  @ArchTest
  static final ArchRule coreClientAndDynamodbDoNotKnowTheirTestKit =
      noClasses()
          .that()
          .resideInAnyPackage(CORE, CLIENT, ADMIN, DYNAMODB, AGGREGATOR, CLI)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("dev.millrace.testkit..", "org.junit..", "org.assertj..");

  /** An oracle that asked the code it judges would agree with it. */
  @ArchTest
  static final ArchRule theOracleReadsStatesAndComputesForItself =
      noClasses()
          .that()
          .resideInAPackage("dev.millrace.simulator.oracle..")
          .should()
          .callMethodWhere(isOfCoreAndNoneOf(FACTS_OF_A_BUCKET));

  /** Its licence forbids to compile against it. */
  @ArchTest
  static final ArchRule nothingRefersToDynamodbLocal =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "software.amazon.dynamodb..", "com.amazonaws.services.dynamodbv2.local..");

  @ArchTest
  static final ArchRule embeddedKnowsNothingOfWhatIsSentToIt =
      noClasses()
          .that()
          .resideInAPackage("dev.millrace.embedded..")
          .should()
          .dependOnClassesThat(
              resideInAnyPackage("dev.millrace..", "software.amazon..")
                  .and(not(resideInAPackage("dev.millrace.embedded.."))));

  @ArchTest
  static final ArchRule onlyClientAndAdminOfDynamodbCallTheSdk =
      noClasses()
          .that()
          .resideInAPackage(DYNAMODB)
          .and()
          .resideOutsideOfPackages(
              "dev.millrace.dynamodb.client..", "dev.millrace.dynamodb.admin..")
          .should()
          .dependOnClassesThat(areSdkClients());

  /** Clocks, threads and chance are options, so that a simulation can bring its own. */
  @ArchTest
  static final ArchRule onlyOptionsOfTheClientDependOnTheMachine =
      noClasses()
          .that()
          .resideInAPackage(CLIENT)
          .and()
          .haveSimpleNameNotStartingWith("System")
          .should()
          .callMethodWhere(isOneOf("read a clock or chance", CLOCKS_AND_CHANCE))
          .orShould()
          .callMethodWhere(isNowOfATimeType())
          .orShould()
          .callMethod(Thread.class, "sleep", long.class)
          .orShould()
          .callConstructor(Thread.class, Runnable.class, String.class)
          .orShould()
          .dependOnClassesThat()
          .belongToAnyOf(ForkJoinPool.class, Executors.class, ThreadLocalRandom.class);

  @ArchTest
  static final ArchRule internalsOfTheClientAreItsOwn =
      noClasses()
          .that()
          .resideOutsideOfPackage(CLIENT)
          .should()
          .dependOnClassesThat()
          .resideInAPackage("dev.millrace.client.internal..");

  @ArchTest
  static final ArchRule nobodyLogsPastTheSystemLogger =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("java.util.logging..", "org.slf4j..", "org.apache.logging..");

  /** The engine's process tells its parent on its output where it listens. */
  @ArchTest
  static final ArchRule nobodyPrintsButTheCommandLineAndTheEngine =
      noClasses()
          .that()
          .resideOutsideOfPackages(CLI, "dev.millrace.embedded..")
          .should()
          .accessField(System.class, "out")
          .orShould()
          .accessField(System.class, "err");

  private static DescribedPredicate<JavaCall<?>> isOneOf(String description, Set<String> methods) {
    return DescribedPredicate.describe(
        description,
        call ->
            methods.contains(
                call.getTargetOwner().getFullName() + "." + call.getTarget().getName()));
  }

  private static DescribedPredicate<JavaCall<?>> isOfCoreAndNoneOf(Set<String> methods) {
    return DescribedPredicate.describe(
        "is of core and none of " + methods,
        call ->
            resideInAPackage(CORE).test(call.getTargetOwner())
                && !methods.contains(call.getTarget().getName()));
  }

  private static DescribedPredicate<JavaCall<?>> isNowOfATimeType() {
    return DescribedPredicate.describe(
        "ask what time it is",
        call ->
            TYPES_THAT_KNOW_THE_TIME.contains(call.getTargetOwner().getFullName())
                && (call.getTarget().getName().equals("now")
                    || call.getTarget().getName().startsWith("system")));
  }

  private static DescribedPredicate<JavaClass> areSdkClients() {
    return DescribedPredicate.describe(
        "are clients of the SDK",
        type ->
            type.getPackageName().startsWith("software.amazon.awssdk")
                && type.getSimpleName().endsWith("Client"));
  }
}
