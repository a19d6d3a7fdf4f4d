# R: Rscript optimize.R
repeat {
  text <- suppressWarnings(system("bocs ask pumps.toml", intern = TRUE))  # a trial as JSON
  if (!is.null(attr(text, "status"))) break                              # none is left
  trial <- jsonlite::fromJSON(paste(text, collapse = ""))
  x <- trial$point
  value <- (x$crew - 5)^2 + length(x$pumps) + 3 * !("mill" %in% x$pumps)
  system(sprintf("bocs tell pumps.toml --trial %d --value %.17g", trial$number, value))
}
system("bocs best pumps.toml")
