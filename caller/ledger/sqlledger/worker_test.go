package sqlledger_test

// workerJob names the environment variable that makes the test binary a worker.
const workerJob = "WEIR_SQLLEDGER_WORKER"

func runWorker(string) int { return 0 }
